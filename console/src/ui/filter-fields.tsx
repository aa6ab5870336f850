import { useState } from 'react';
import { NativeSelect, TextInput } from '@mantine/core';
import { wordsOf } from './status-words.js';

type FilterTextProps = {
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
};

/** Takes effect with Enter, or when the person leaves the field. */
export function FilterText({ value = '', ...field }: FilterTextProps) {
  return <FilterDraft key={value} {...field} value={value} />;
}

function FilterDraft({ label, value, placeholder, onChange }: FilterTextProps & { readonly value: string }) {
  const [draft, setDraft] = useState(value);
  const apply = (): void => {
    if (draft.trim() !== value) onChange(draft.trim());
  };
  return (
    <TextInput
      label={label}
      value={draft}
      {...(placeholder === undefined ? {} : { placeholder })}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
      spellCheck={false}
      autoComplete="off"
    />
  );
}

type FilterChoiceProps = {
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly string[];
  /** Default: the words of a constant. */
  readonly wordsFor?: (choice: string) => string;
  readonly onChange: (value: string) => void;
};

export function FilterChoice({ label, value = '', choices, wordsFor = wordsOf, onChange }: FilterChoiceProps) {
  const data = [{ value: '', label: 'Any' }, ...choices.map((choice) => ({ value: choice, label: wordsFor(choice) }))];
  return <NativeSelect label={label} value={value} data={data} onChange={(event) => onChange(event.currentTarget.value)} />;
}
