import { Link } from 'wouter';
import type { Figure } from './figures.js';

/** Each number leads to its records. */
export function FigureCards({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <ul className="hf-figures">
      {figures.map(({ label, values, path, isAlarming = false, remark }) => (
        <li key={label}>
          <Link href={path} className={isAlarming ? 'hf-figure hf-figure-alarming' : 'hf-figure'}>
            <span className="hf-figure-label">{label}</span>
            {values.map((value) => (
              <strong key={value}>{value}</strong>
            ))}
            {remark === undefined ? null : <span className="hf-figure-remark">{remark}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}
