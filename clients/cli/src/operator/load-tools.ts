/** The operator's commands load the database client and parts of the services. Other commands do not wait for that. */
export function loadTools(): Promise<typeof import('@holdfast/tools')> {
  return import('@holdfast/tools');
}
