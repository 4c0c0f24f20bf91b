/**
 * In tests the database refuses writes of task items that are not in the table of transitions. Tests that force an
 * item into a state use `set local test.any_move = 'on'`.
 */
import type postgres from 'postgres'
import { writable } from '#schema/task/moves'

/** Writes items without the check, for tests that need them in a certain state. */
export const byForce = (sql: postgres.Sql, write: (tx: postgres.TransactionSql) => Promise<unknown>) =>
  sql.begin(async (tx) => {
    await tx`set local test.any_move = 'on'`
    await write(tx)
  })

export async function checkMoves(sql: Pick<postgres.Sql, 'unsafe'>): Promise<void> {
  const pairs = [...writable()].map((pair) => `('${pair}')`).join(',')
  await sql.unsafe(`
    create schema test_moves;
    create table test_moves.pairs (pair text primary key);
    insert into test_moves.pairs values ${pairs};
    create function test_moves.check() returns trigger language plpgsql as $$
    declare moved text := concat_ws(' ', old.sending, old.step, coalesce(old.outcome, '-'), '>', new.sending, new.step, coalesce(new.outcome, '-'));
    begin
      if coalesce(current_setting('test.any_move', true), '') <> 'on' and not exists (select 1 from test_moves.pairs p where p.pair = moved)
      then raise exception 'no move of the table writes %', moved; end if;
      return new;
    end $$;
    create trigger test_moves before update on task_items for each row
      when ((old.sending, old.step, old.outcome) is distinct from (new.sending, new.step, new.outcome))
      execute function test_moves.check();`)
}
