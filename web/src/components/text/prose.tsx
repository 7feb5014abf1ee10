import { withReadableTimes } from '../../lib/format.js';

export interface ProseProps {
  readonly text: string;
}

/** Text from the service, with readable times. Text between backticks is shown as code. */
export function Prose({ text }: ProseProps) {
  return withReadableTimes(text)
    .split('`')
    .map((part, place) => {
      // eslint-disable-next-line react/no-array-index-key -- the place in the text is what tells the parts apart
      return place % 2 === 0 ? <span key={place}>{part}</span> : <code key={place}>{part}</code>;
    });
}
