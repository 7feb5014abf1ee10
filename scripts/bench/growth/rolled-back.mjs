class RollBack extends Error {}

/** Runs what would change the rows in a transaction, deferred triggers included, and undoes it. */
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
