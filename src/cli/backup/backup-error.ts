/** Why a backup or a restore cannot be made, in a sentence for operators. */
export class BackupError extends Error {}
