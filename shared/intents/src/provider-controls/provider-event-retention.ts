/** How long handled events of a provider are kept: longer than the providers repeat an event, by hand too. */
export const providerEventRetentionDays = 30;
