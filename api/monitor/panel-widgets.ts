/** Which widgets and variables a panel may contain. */
import { sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { PANEL_BYTES_MAX, PANEL_VARIABLES_MAX, panelRefusals, type Widget } from '#schema/monitor/panel'
import { layoutFault } from '#schema/monitor/panel-layout'
import type { Candidate } from '#schema/monitor/panel-templates'
import { devices } from '#schema/tables/device'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { projectGroups } from './project-figures.ts'

type Pair = Pick<Widget['variables'][number], 'terminalId' | 'variableId'>
const keyOf = ({ terminalId, variableId }: Pair) => `${terminalId}.${variableId}`
const pairsOf = (widgets: readonly Widget[]) =>
  new Map(widgets.flatMap(({ variables }) => variables.map((one) => [keyOf(one), one] as const)))

const faults = {
  twice: panelRefusals.widgetTwice,
  overlap: panelRefusals.widgetsOverlap,
  misfit: panelRefusals.widgetMisfit,
} as const

/** @throws Refusal 482, 483, 485–487 */
export function checkLayout(widgets: readonly Widget[]): void {
  if (Buffer.byteLength(JSON.stringify(widgets)) > PANEL_BYTES_MAX)
    refuse(panelRefusals.panelTooLarge, { max: PANEL_BYTES_MAX / 1024 }, 'widgets')
  if (pairsOf(widgets).size > PANEL_VARIABLES_MAX)
    refuse(panelRefusals.tooManyOnPanel, { max: PANEL_VARIABLES_MAX }, 'widgets')
  const found = layoutFault(widgets)
  if (!found) return
  const n = widgets.findIndex(({ key }) => key === found.key) + 1
  refuse(faults[found.fault], { name: widgets[n - 1]?.title || `#${n}` }, 'widgets')
}

export const imagesOf = (widgets: readonly Widget[]): string[] => [
  ...new Set(widgets.flatMap(({ imageId }) => imageId ?? [])),
]

/** Variables that may be added: visible ones of the project's devices. */
const variablesOf = ({ actor }: CallContext, projectId: number) => sql`
  from terminals t join ${devices} on ${devices.id} = t.device_id join variables v on v.template_id = t.template_id
  where ${visible(actor).devices} and ${devices.groupId} in (${projectGroups(projectId)}) and not t.hidden and not v.hidden`

const CANDIDATES = 2_000
export const projectVariables = (ctx: CallContext, projectId: number) =>
  ctx.db.execute<Candidate>(sql`
    select t.id as "terminalId", v.id as "variableId", v.name, v.unit, v.function_type as "functionType"
    ${variablesOf(ctx, projectId)} order by t.id, v.slot limit ${CANDIDATES}`)

/**
 * Variables that were on the panel before may stay, even if they are deleted by now or not visible to the actor: an
 * edit must not drop what another user added. @param tx of the edit, which must not wait for another connection
 * @throws Refusal 484
 */
export async function checkVariables(
  ctx: CallContext,
  tx: Pick<CallContext['db'], 'execute'>,
  projectId: number,
  widgets: readonly Widget[],
  before: readonly Widget[],
): Promise<void> {
  const old = pairsOf(before)
  const fresh = [...pairsOf(widgets)].filter(([key]) => !old.has(key)).map(([, pair]) => pair)
  if (fresh.length === 0) return
  const [found] = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n ${variablesOf(ctx, projectId)}
      and (t.id, v.id) in (select * from unnest(
        ${sql.param(fresh.map(({ terminalId }) => terminalId))}::int[], ${sql.param(fresh.map(({ variableId }) => variableId))}::int[]))`)
  if (found?.n !== fresh.length) refuse(panelRefusals.notOfProject, {}, 'widgets')
}
