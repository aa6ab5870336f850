/** What payments intends to do at the payment provider. */
export const intentKinds = ['create-payin', 'cancel-payin', 'create-payout', 'return-case'] as const;
export type IntentKind = (typeof intentKinds)[number];
