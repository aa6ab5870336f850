/** A request for a payin with one item of its amount. */
export function aPayin(code: string, amount: number) {
  return {
    code,
    amount,
    description: 'Top-up',
    items: [{ description: 'Top-up', amount, quantity: 1 }],
    confirmationUri: 'http://shop.example/thanks',
    cancelUri: 'http://shop.example/sorry',
  };
}

export function aPayout(code: string, amount: number) {
  return { code, amount, airtmUserEmail: 'seller@example.com', notes: 'Withdrawal' };
}
