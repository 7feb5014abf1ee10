/** The last line of a program's output as JSON. A program that was ended may leave an incomplete line after it. */
export function lastJson(output) {
  const lines = output.split('\n');
  return parsed(lines.at(-1)) ?? parsed(lines.at(-2) ?? '');
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
