/** Why a backup or restore failed, as a sentence for operators. */
export class BackupError extends Error {}
