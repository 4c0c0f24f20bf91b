/** Links to big screens: what they open, whose rights they have, and when they end. */
import { expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { isCall, type ReplyOf } from '#schema/kit/call'
import { kioskCalls } from '#schema/monitor/kiosk'
import type { getMonitorBoard } from '#schema/monitor/monitor-board'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { addTemplate, addTerminal } from '#test/collecting'

const { app, call, tenants, context } = await apiTest()
const { sql } = context
const { a, b } = tenants
const [atRoot, inBranch, inOther] = [a.devices[0], a.devices[1], a.devices[3]]
if (!atRoot || !inBranch || !inOther) throw new Error('tenants have devices')

const templateId = await addTemplate(sql, a.customerId)
await sql`insert into variables (template_id, slot, name, unit, register_type, address, data_type)
  values (${templateId}, 0, 'Power', 'kW', 'input', 0, 'float32')`
for (const device of [atRoot, inBranch, inOther])
  await addTerminal(sql, { id: device.id, customerId: a.customerId }, templateId)
const addProject = async (groupId: number, name: string) => {
  const [row] = await sql<{ id: number }[]>`
    insert into projects (customer_id, group_id, name, type) values (${a.customerId}, ${groupId}, ${name}, 'energy') returning id`
  return row?.id ?? 0
}
const projectId = await addProject(a.groups.root, 'North hall')
const otherProject = await addProject(a.groups.other, 'South hall')

const addLink = async (project: number) =>
  (
    await call<{ id: number; kioskToken: string }>(
      'kiosk/addKioskLink',
      { projectId: project, name: 'hall' },
      a.admin,
    )
  ).data ?? { id: 0, kioskToken: '' }
type Board = ReplyOf<typeof getMonitorBoard>
const board = (token: string, body: object = {}) => call<Board>('monitorBoard/getMonitorBoard', body, token)

it('shows the gateways of its project and of the groups below it, and of no other', async () => {
  const { kioskToken } = await addLink(projectId)
  expect((await board(kioskToken)).data).toMatchObject({
    projectName: 'North hall',
    figures: { gateways: 2, terminals: 2, values: 2 },
  })
  expect((await board(kioskToken, { projectId: otherProject })).data?.figures.gateways).toBe(0)
  const values = await call<{ list: { deviceSn: string }[] }>('variable/getVariableValues', {}, kioskToken)
  expect(new Set(values.data?.list.map(({ deviceSn }) => deviceSn))).toEqual(
    new Set([atRoot.sn, inBranch.sn]),
  )
})

/** A panel of the project with these widgets, and a link that shows it. */
async function addPanelLink(widgets: readonly object[]) {
  const { data } = await call<{ id: number }>(
    'panel/addPanel',
    { projectId, name: `Panel ${widgets.length}` },
    a.admin,
  )
  await call('panel/savePanel', { id: data?.id, widgets }, a.admin)
  const link = await call<{ kioskToken: string }>(
    'kiosk/addKioskLink',
    { projectId, panelId: data?.id, name: 'hall' },
    a.admin,
  )
  return { panelId: data?.id ?? 0, kioskToken: link.data?.kioskToken ?? '' }
}

it('of a panel reads the variables of its widgets and no others, and places only for its map', async () => {
  type Pair = { terminalId: number; variableId: number }
  const all =
    (await call<{ list: (Pair & { deviceSn: string })[] }>('variable/getVariableValues', {}, a.admin)).data
      ?.list ?? []
  // Of the project: a link shows nothing outside it, whatever is on its panel.
  const [shown, other] = all.filter(({ deviceSn }) => deviceSn !== inOther.sn)
  if (!shown || !other) throw new Error('there are values')
  const pair = ({ terminalId, variableId }: Pair) => ({ terminalId, variableId })
  const figure = { key: 'f', kind: 'figure', x: 0, y: 0, w: 4, h: 3, variables: [pair(shown)] }
  const { panelId, kioskToken } = await addPanelLink([figure])
  const pairsOf = (list: readonly Pair[]) => ({
    terminalIds: list.map(({ terminalId }) => terminalId),
    variableIds: list.map(({ variableId }) => variableId),
  })
  const values = async (body: object) =>
    (await call<{ list: Pair[]; total: number }>('variable/getVariableValues', body, kioskToken)).data
  expect((await values({}))?.list.map(pair)).toEqual([pair(shown)])
  expect(await values(pairsOf([other]))).toMatchObject({ list: [], total: 0 })
  const watched = await app.inject({
    method: 'POST',
    url: '/api/variable/watchValues',
    headers: { token: kioskToken },
    payload: pairsOf([shown, other]),
  })
  expect(watched.body).toContain(`"terminalId":${shown.terminalId},`)
  expect(watched.body).not.toContain(`"terminalId":${other.terminalId},`)
  const history = async (of: Pair) =>
    (
      await call(
        'variableHistory/getVariableHistory',
        {
          ...pairsOf([of]),
          from: new Date(Date.now() - 3_600_000).toISOString(),
          to: new Date().toISOString(),
          step: 'minute',
        },
        kioskToken,
      )
    ).code
  expect([await history(shown), await history(other)]).toEqual([0, sessionRefusals.noPermission.code])
  const places = () => call<{ places: object[] }>('panel/getPanelPlaces', { id: panelId }, kioskToken)
  expect((await places()).code).toBe(sessionRefusals.noPermission.code)
  await sql`update devices set longitude = 104, latitude = 30 where id = ${atRoot.id}`
  // What is composed later is shown by the same link.
  const map = { key: 'm', kind: 'map', x: 4, y: 0, w: 8, h: 6, variables: [] }
  await call(
    'panel/savePanel',
    { id: panelId, widgets: [map, { ...figure, variables: [pair(other)] }] },
    a.admin,
  )
  expect((await places()).data?.places).toHaveLength(1)
  expect((await values({}))?.list.map(pair)).toEqual([pair(other)])
})

it.each(['bigScreen', 'panel'] as const)(
  'of a %s makes no other declared call, also none that needs only a login',
  async (view) => {
    const { kioskToken } = await (view === 'panel' ? addPanelLink([]) : addLink(projectId))
    const others = (await gatherDeclared(isCall)).filter(
      ({ name, permission }) => permission !== 'none' && !kioskCalls[view].includes(name),
    )
    expect(others.length).toBeGreaterThan(200)
    for (const { method, path, carrier } of others) {
      const upload = carrier === 'upload'
      const response = await app.inject({
        method,
        url: path,
        remoteAddress: `192.0.2.${1 + (path.length % 250)}`,
        headers: { token: kioskToken, ...(upload ? { 'content-type': 'application/gzip' } : {}) },
        ...(method === 'GET' ? {} : { payload: upload ? Buffer.from('') : {} }),
      })
      expect([path, response.json().code]).toEqual([path, sessionRefusals.noPermission.code])
    }
  },
)

it('has no more than its maker has by now, and ends with the maker’s account', async () => {
  const { id, kioskToken } = await addLink(projectId)
  // The operator sees the branch only.
  await sql`update kiosk_links set user_id = ${a.operator.id} where id = ${id}`
  expect((await board(kioskToken)).data?.figures.gateways).toBe(1)
  await sql`update users set mon_state = 0 where id = ${a.operator.id}`
  expect((await board(kioskToken)).code).toBe(sessionRefusals.noPermission.code)
  await sql`update users set mon_state = 1, customer_id = ${b.customerId} where id = ${a.operator.id}`
  expect((await board(kioskToken)).code).toBe(sessionRefusals.sessionEnded.code)
  await sql`update users set customer_id = ${a.customerId}, status = 0 where id = ${a.operator.id}`
  expect((await board(kioskToken)).code).toBe(sessionRefusals.sessionEnded.code)
})

it('is listed with its last use, and ends when it is revoked, runs out, or its project is deleted', async () => {
  const [one, two, three] = [await addLink(projectId), await addLink(projectId), await addLink(otherProject)]
  expect((await board(one.kioskToken)).code).toBe(0)
  const { data } = await call<{ list: { id: number; lastUsedAt: string | null }[] }>(
    'kiosk/getKioskLinks',
    { limit: 50 },
    a.admin,
  )
  const listed = new Map(data?.list.map(({ id, lastUsedAt }) => [id, lastUsedAt]))
  expect([listed.get(one.id), listed.get(two.id)]).toEqual([expect.any(String), null])
  expect(JSON.stringify(data)).not.toContain('kiosk_')
  await call('kiosk/revokeKioskLink', { id: one.id }, a.admin)
  await sql`update kiosk_links set expires_at = now() where id = ${two.id}`
  await call('project/deleteProject', { id: otherProject }, a.admin)
  for (const { kioskToken } of [one, two, three])
    expect((await board(kioskToken)).code).toBe(sessionRefusals.notLoggedIn.code)
})
