import { createHash } from 'node:crypto'
import { languages } from '#schema/kit/refusal'
import { functions } from '#schema/people/functions'
import { functionNames } from '#schema/people/permission-names'
import { getRights } from '#schema/people/role'
import { getMenu, showFunctionList } from '#schema/people/session'
import { handler } from '../kit/handler.ts'
import { areaOf, buildMenu, openMenuIds } from './build-menu.ts'

export const showFunctionListHandler = handler(showFunctionList, async (ctx, body) => {
  const language = languages.find((known) => known === body.language) ?? ctx.language
  return {
    list: (Object.keys(functions) as (keyof typeof functions)[])
      .filter((name) => ctx.actor.functionIds.has(functions[name]))
      .map((name) => ({ functionId: functions[name], functionName: functionNames[name][language] })),
  }
})

export const getMenuHandler = handler(getMenu, (ctx, body) =>
  buildMenu(ctx.actor, areaOf(body.funTag), ctx.language),
)

export const getRightsHandler = handler(getRights, async ({ sql, actor }) => {
  const [look] = actor.customerId
    ? await sql<
        { name: string; copyright: string | null; logo: string | null }[]
      >`select name, copyright, logo from customers where id = ${actor.customerId}`
    : []
  const told = [
    [...actor.functionIds].sort(),
    (await openMenuIds(actor)).sort(),
    actor.type,
    actor.customerId,
    actor.monState,
    look ?? null,
  ]
  return { version: createHash('sha256').update(JSON.stringify(told)).digest('base64url') }
})
