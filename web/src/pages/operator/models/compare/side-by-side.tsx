import type { ProblemText } from '../../../../api/problem-texts.js';
import classes from './compare-versions.module.css';

/** One picture, or the reason why it is missing. */
export interface Side {
  readonly label: string;
  readonly url: string | null;
  readonly refusal: ProblemText | null;
}

export interface SideBySideProps {
  readonly sides: readonly Side[];
  /** A description of the pictures, for people who cannot see them. */
  readonly alt: string;
}

/** Two pictures of which at least one is missing, so that a divider makes no sense. */
export function SideBySide({ sides, alt }: SideBySideProps) {
  return (
    <div className={classes['sides']}>
      {sides.map(({ label, url, refusal }) => (
        <figure key={label} className={classes['side']}>
          {url === null ? (
            <div className={classes['refusal']}>
              <b>{refusal?.title}</b>
              <span>{refusal?.detail}</span>
            </div>
          ) : (
            <img src={url} alt={`${label}: ${alt}`} />
          )}
          <figcaption>{label}</figcaption>
        </figure>
      ))}
    </div>
  );
}
