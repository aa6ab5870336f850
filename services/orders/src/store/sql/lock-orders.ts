import { recordNewMessages } from '@holdfast/messaging/inbox';
import { arrayOfAnyLength } from '@holdfast/postgres';
import { disputes, orders } from '../schema.js';
import { isStopped } from './is-stopped.js';
import { marketplaceOfOrder } from './marketplace-of-order.js';

/**
 * Records the messages of a batch and locks its orders, in the order of their ids. A row is locked once it is read, and the messages are
 * recorded when the first row is read. So a statement that waits for a concurrent delivery of the same message has locked no order. The
 * lock also guards the disputes of the order. Disputes are read by a second statement, because a join would return them as they were before
 * the lock was granted.
 */
export const recordMessagesAndLockOrders = {
  name: 'record-messages-and-lock-orders',
  text: `
  with recorded as (${recordNewMessages}
  )
  select ${orders.selected},
    (select users.status from users where users.id = orders.buyer_id) as "buyerStatus",
    (select users.status from users where users.id = orders.seller_id) as "sellerStatus",
    ${isStopped} as "isStopped",
    ${marketplaceOfOrder} as marketplace,
    array(select message_id from recorded) as "newMessages"
  from orders
  where orders.id = any(${arrayOfAnyLength('$3::text[]')})
  order by orders.id
  for update of orders`,
};

export const readDisputes = {
  name: 'read-disputes',
  text: `
  select ${disputes.selected}
  from disputes
  where id = any($1)`,
};
