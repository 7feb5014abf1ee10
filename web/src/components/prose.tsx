export interface ProseProps {
  readonly text: string;
}

/** The service's own words; what stands between backticks is code. */
export function Prose({ text }: ProseProps) {
  return text.split('`').map((part, place) => {
    // eslint-disable-next-line react/no-array-index-key -- the place in the text is what tells the parts apart
    return place % 2 === 0 ? <span key={place}>{part}</span> : <code key={place}>{part}</code>;
  });
}
