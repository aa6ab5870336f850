/** The operator's commands load the database client and parts of the services. Other commands do not wait for that. */
export function loadTools() {
  return import('@holdfast/tools');
}
