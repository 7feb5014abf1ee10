class RollBack extends Error {}

/** Runs changes in a transaction, including deferred triggers, and rolls them back. */
export async function rolledBack(database, work) {
  try {
    await database.transaction(async (tx) => {
      await work(tx);
      await tx.query('SET CONSTRAINTS ALL IMMEDIATE');
      throw new RollBack();
    });
  } catch (error) {
    if (!(error instanceof RollBack)) throw error;
  }
}
