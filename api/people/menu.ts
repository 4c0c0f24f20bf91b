import { createHash } from 'node:crypto'
import { permissions } from '#infra/rights'
import { nameOf } from '#infra/texts'
import { languages } from '#schema/kit/refusal'
import { getRights } from '#schema/people/get-rights'
import { getMenu, showFunctionList } from '#schema/people/session'
import { holds } from '../kit/actor.ts'
import { handler } from '../kit/handler.ts'
import { areaOf, buildMenu, openMenuIds } from './build-menu.ts'

export const showFunctionListHandler = handler(showFunctionList, async ({ actor, language }, body) => {
  const wanted = languages.find((known) => known === body.language) ?? language
  return {
    list: permissions
      .filter((permission) => holds(actor, permission))
      .map(({ id, name }) => ({ functionId: id, functionName: nameOf('permission', name, wanted) })),
  }
})

export const getMenuHandler = handler(getMenu, async (ctx, body) =>
  buildMenu(ctx.actor, areaOf(body.funTag), ctx.language),
)

export const getRightsHandler = handler(getRights, async ({ sql, actor }) => {
  const [look] = actor.customerId
    ? await sql<
        { name: string; copyright: string | null; logo: string | null }[]
      >`select name, copyright, logo from customers where id = ${actor.customerId}`
    : []
  const shown = [
    [...actor.functionIds].sort(),
    openMenuIds(actor).sort(),
    actor.type,
    actor.customerId,
    actor.monState,
    look ?? null,
  ]
  return { version: createHash('sha256').update(JSON.stringify(shown)).digest('base64url') }
})
