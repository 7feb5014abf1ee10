/** The runtime's message for an unknown operator. */
const QUALIFIED = /Fatal error: ([\w.]*):(\w+)\(-?\d+\) is not a registered function\/op/;
/** Starts with the node: `In Node, ("name", Operator, "domain", -1)`. */
const IN_NODE = /\("[^"]*", (\w+), "([\w.]*)", -?\d+\).*No Op registered for/s;
const WITHOUT_DOMAIN = [
  /No Op registered for (\w+)/,
  /Could not find an implementation for (\w+\(\d+\))/,
  /Failed to find kernel for (\w+)/,
  // TensorFlow.js
  /Unknown op '(\w+)'/,
];

/**
 * The unknown operator, for example `Sharpen of the domain com.example`.
 * @param text of the runtime's error
 * @returns undefined when the error is about something else
 */
export function unknownOperator(text: string): string | undefined {
  const qualified = QUALIFIED.exec(text);
  if (qualified !== null) return named(qualified[2]!, qualified[1]!);
  const inNode = IN_NODE.exec(text);
  if (inNode !== null) return named(inNode[1]!, inNode[2]!);
  return WITHOUT_DOMAIN.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
}

/** An empty domain is ONNX's own. */
function named(operator: string, domain: string): string {
  return `${operator} of the domain ${domain === '' ? 'ai.onnx' : domain}`;
}
