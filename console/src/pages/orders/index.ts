export { OrdersPage } from './orders-page.js';
