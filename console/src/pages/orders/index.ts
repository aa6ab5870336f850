export { OrderPage } from './order-page.js';
export { OrdersPage } from './orders-page.js';
