export { ParkedPage } from './parked-page.js';
export { ProvidersPage } from './providers-page.js';
export { SagaPage } from './saga-page.js';
export { SagasPage } from './sagas-page.js';
