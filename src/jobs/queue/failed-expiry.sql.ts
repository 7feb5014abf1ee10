/**
 * Set when a job fails: a job whose source is erased with its result has no result to wait for, so its source is erased
 * when the result would have expired. Until then, a retry of its batch can use it.
 */
export const FAILED_EXPIRY = `result_expires_at = CASE WHEN retention IS NOT NULL
                                            THEN now() + expires_in * interval '1 second' END`;
