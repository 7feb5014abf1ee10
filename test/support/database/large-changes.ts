/**
 * Triggers that fail statements which change more rows of these tables at once, cascades included: the larger the
 * account, the longer they would take.
 */
export function refuseLargeChanges(tables: readonly string[], max: number): string[] {
  return [
    `CREATE FUNCTION refuse_large() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF (SELECT count(*) FROM changed) > ${max} THEN
         RAISE EXCEPTION 'one statement changed % rows of %', (SELECT count(*) FROM changed), TG_TABLE_NAME;
       END IF;
       RETURN NULL;
     END $$`,
    ...tables.flatMap((table) =>
      ['DELETE', 'UPDATE'].map(
        (change) =>
          `CREATE TRIGGER refuse_large_${change} AFTER ${change} ON ${table} REFERENCING OLD TABLE AS changed
             FOR EACH STATEMENT EXECUTE FUNCTION refuse_large()`,
      ),
    ),
  ];
}
