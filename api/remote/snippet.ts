import { eq, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import {
  addSnippet,
  deleteSnippet,
  getSnippetList,
  modifySnippet,
  snippetObject,
} from '#schema/remote/snippet'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { terminalSnippets } from '#schema/tables/terminal-snippet'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ownerOf } from '../kit/owner.ts'
import { visible } from '../kit/scope.ts'
import { stored } from '../kit/stored.ts'
import { whenTaken } from '../kit/unique-violation.ts'

const { id, customerId, name, text, enter, createdAt } = terminalSnippets

export const storedSnippet = stored({
  object: snippetObject,
  table: terminalSnippets,
  id,
  name,
  customerId,
  seen: (walls) => walls.own(customerId),
  row: () => ({ id }),
  parts: { main: { table: terminalSnippets, id, fields: { name, text, enter } } },
})

const taken = (called: string) =>
  whenTaken({ terminal_snippets_name: () => refuse(remoteRefusals.snippetTaken, { name: called }, 'name') })

export const getSnippetListHandler = listOf(getSnippetList, storedSnippet, ({ db, actor }) => ({
  table: terminalSnippets,
  rows: db
    .select({
      id,
      customerId,
      customerName: customers.name,
      name,
      text,
      enter,
      createdAt,
      edition: editionOf(storedSnippet.parts.main),
    })
    .from(terminalSnippets)
    .innerJoin(customers, eq(customers.id, customerId)),
  filters: {
    deviceId: (asked) =>
      sql`${customerId} = (select ${devices.customerId} from ${devices} where ${devices.id} = ${asked} and ${visible(actor).devices})`,
  },
}))

export const addSnippetHandler = handler(addSnippet, async (ctx, body) => {
  const fields = { name: body.name, text: body.text, enter: body.enter }
  const [made] = await ctx.db
    .insert(terminalSnippets)
    .values({ customerId: ownerOf(ctx), ...fields })
    .returning({ id })
    .catch(taken(body.name))
  if (!made) throw new Error('insert returned nothing')
  return made
})

export const modifySnippetHandler = handler(modifySnippet, async (ctx, body) => {
  const { id: snippetId } = rowOf(ctx, storedSnippet)
  await edit(ctx, { opened: body.edition }, (tx) =>
    tx
      .update(terminalSnippets)
      .set({ name: body.name, text: body.text, enter: body.enter })
      .where(eq(id, snippetId)),
  ).catch(taken(body.name))
  return null
})

export const deleteSnippetHandler = handler(deleteSnippet, async (ctx) => {
  await ctx.db.delete(terminalSnippets).where(eq(id, rowOf(ctx, storedSnippet).id))
  return null
})
