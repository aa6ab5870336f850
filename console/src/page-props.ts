/** What a page is given: the parameters of its path. */
export type PageProps = { readonly params: Readonly<Record<string, string | undefined>> };
