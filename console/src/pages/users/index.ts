export { UserPage } from './user-page.js';
export { UsersPage } from './users-page.js';
