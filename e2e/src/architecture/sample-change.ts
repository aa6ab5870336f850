/** A small change as an engineer would make it: edits of files and new files. Generated files are not among them. */
export type SampleChange = {
  readonly name: string;
  /** The most files that a change of this kind may touch. */
  readonly filesMax: number;
  /** The heading of its recipe in CONTRIBUTING.md, and what the recipe calls each file. */
  readonly recipe: string;
  readonly recipeNames: Readonly<Record<string, string>>;
  readonly edits: readonly Edit[];
};

/** Text that is put before or after the one place of a file where the anchor is, or a new file. */
export type Edit =
  | { readonly file: string; readonly before: string; readonly add: string }
  | { readonly file: string; readonly after: string; readonly add: string }
  | { readonly file: string; readonly create: string };

export function filesOf({ edits }: Pick<SampleChange, 'edits'>): readonly string[] {
  return [...new Set(edits.map(({ file }) => file))];
}

/** The files that the change touches, with their contents after it. `read` returns undefined for a file that does not exist. */
export function applyChange(
  change: Pick<SampleChange, 'name' | 'edits'>,
  read: (file: string) => string | undefined,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const edit of change.edits) texts.set(edit.file, edited(change.name, edit, texts.get(edit.file) ?? read(edit.file)));
  return texts;
}

function edited(name: string, edit: Edit, text: string | undefined): string {
  if ('create' in edit) {
    if (text !== undefined) throw new Error(`the sample of ${name} creates ${edit.file}, which exists`);
    return edit.create;
  }
  const anchor = 'before' in edit ? edit.before : edit.after;
  const [start, end, ...more] = (text ?? '').split(anchor);
  if (start === undefined || end === undefined || more.length > 0)
    throw new Error(
      `the sample of ${name} needs one place with ${JSON.stringify(anchor)} in ${edit.file}: choose another anchor`,
    );
  return 'before' in edit ? `${start}${edit.add}${anchor}${end}` : `${start}${anchor}${edit.add}${end}`;
}
