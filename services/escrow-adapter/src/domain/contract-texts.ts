import type { Contract } from './contract.js';

type Texts = Pick<Contract, 'orderId' | 'title' | 'description' | 'milestones'>;

/** What every contract version takes, in bytes of UTF-8. */
const bytesMax = { title: 100, description: 500, milestoneTitle: 100 } as const;

/** The terms with texts that every contract version takes. The order itself keeps the full texts. */
export function withContractTexts<Terms extends Texts>(terms: Terms): Terms {
  const textOf = (given: string, limit: number): string => {
    const text = cut(onOneLine(given), limit);
    return text === '' ? terms.orderId : text;
  };
  return {
    ...terms,
    title: textOf(terms.title, bytesMax.title),
    description: textOf(terms.description, bytesMax.description),
    milestones: terms.milestones.map((of) => ({ ...of, title: textOf(of.title, bytesMax.milestoneTitle) })),
  };
}

/** Control characters and halves of surrogate pairs, which have no encoding in UTF-8. */
const unprintable = /[\p{Cc}\p{Cs}]+/gu;

function onOneLine(text: string): string {
  return text.replace(unprintable, ' ').trim();
}

/** `encodeInto` writes whole characters only, as many as there is space for. */
function cut(text: string, limit: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(limit));
  return text.slice(0, read).trimEnd();
}
