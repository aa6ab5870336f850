// For the commands of operators: nothing here loads what serves.
export { entities } from '../store/schema.js';
export { verifyAuditChain } from '../store/verify-audit-chain.js';
export { sealerWith, auditSealPurpose } from '../store/record-audit.js';
export type { AuditVerification } from '../use-cases/ports.js';
