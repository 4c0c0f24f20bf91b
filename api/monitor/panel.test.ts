/** Panels: who may see and compose them, and what may stand on them. */
import sharp from 'sharp'
import { expect, it } from 'vitest'
import type { ReplyOf } from '#schema/kit/call'
import { type getPanel, PANELS_MAX, panelRefusals } from '#schema/monitor/panel'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { addTemplate, addTerminal } from '#test/collecting'

const { app, call, tenants, context, token } = await apiTest()
const { sql } = context
const { a, b } = tenants
const [atRoot, inBranch, inOther] = [a.devices[0], a.devices[1], a.devices[3]]
if (!atRoot || !inBranch || !inOther) throw new Error('tenants have devices')

const templateId = await addTemplate(sql, a.customerId)
const addVariable = async (slot: number, name: string, unit: string) =>
  (
    await sql<
      { id: number }[]
    >`insert into variables (template_id, slot, name, unit, register_type, address, data_type)
      values (${templateId}, ${slot}, ${name}, ${unit}, 'input', ${slot * 2}, 'float32') returning id`
  )[0]?.id ?? 0
const powerId = await addVariable(0, 'Power', 'kW')
const voltageId = await addVariable(1, 'Voltage', 'V')
const terminals = await Promise.all(
  [atRoot, inBranch, inOther].map(({ id }) => addTerminal(sql, { id, customerId: a.customerId }, templateId)),
)
const [rootTerminal = 0, branchTerminal = 0, otherTerminal = 0] = terminals
const [project] = await sql<{ id: number }[]>`
  insert into projects (customer_id, group_id, name, type) values (${a.customerId}, ${a.groups.root}, 'North hall', 'energy') returning id`
const projectId = project?.id ?? 0

type Panel = ReplyOf<typeof getPanel>
const upload = async (who: { username: string }) =>
  (
    await app.inject({
      method: 'POST',
      url: '/api/image/uploadImage?purpose=panel',
      headers: { token: await token(who), 'content-type': 'application/octet-stream' },
      payload: await sharp({ create: { width: 900, height: 300, channels: 3, background: '#369' } })
        .png()
        .toBuffer(),
    })
  ).json().data?.imageId as string
let made = 0
const add = async (body: object = {}, who = a.admin) =>
  call<{ id: number }>('panel/addPanel', { projectId, name: `Panel ${++made}`, ...body }, who)
const read = async (id: number | undefined, who = a.admin) => call<Panel>('panel/getPanel', { id }, who)
const figure = (terminalId: number, variableId = powerId, more: object = {}) => ({
  key: `k${terminalId}`,
  kind: 'figure',
  x: 0,
  y: 0,
  w: 4,
  h: 3,
  variables: [{ terminalId, variableId }],
  ...more,
})
const save = (id: number | undefined, widgets: readonly object[], who = a.admin, edition?: string) =>
  call('panel/savePanel', { id, widgets, ...(edition ? { edition } : {}) }, who)

it('is stored as it was composed, with a name of its own in its project', async () => {
  const { data } = await add({ name: 'Hall' })
  const widgets = [figure(rootTerminal), figure(branchTerminal, voltageId, { x: 4, title: 'Lights' })]
  expect((await save(data?.id, widgets)).code).toBe(0)
  expect((await read(data?.id)).data).toMatchObject({ name: 'Hall', projectName: 'North hall', widgets })
  expect(await add({ name: 'hall ' })).toMatchObject({
    code: panelRefusals.panelNameTaken.code,
    field: 'name',
  })
})

it('made by a template takes the variables of the project, and none of another group', async () => {
  const { data } = await add({ template: 'powerRoom' })
  const panel = (await read(data?.id)).data
  const shown = panel?.widgets.flatMap(({ variables }) => variables) ?? []
  expect(new Set(shown.map(({ variableId }) => variableId))).toEqual(new Set([powerId, voltageId]))
  expect(shown.map(({ terminalId }) => terminalId)).not.toContain(otherTerminal)
  expect((await save(data?.id, panel?.widgets ?? [])).code).toBe(0)
})

it('takes new variables of its project only, and of those only visible ones', async () => {
  const { data } = await add()
  expect(await save(data?.id, [figure(otherTerminal)])).toMatchObject({
    code: panelRefusals.notOfProject.code,
    field: 'widgets',
  })
  expect((await save(data?.id, [figure(rootTerminal, 999_999)])).code).toBe(panelRefusals.notOfProject.code)
})

it('keeps a variable that is deleted by now', async () => {
  const { data } = await add()
  const gone = await addVariable(2, 'Gone', 'A')
  expect((await save(data?.id, [figure(rootTerminal, gone)])).code).toBe(0)
  await sql`delete from variables where id = ${gone}`
  expect((await save(data?.id, [figure(rootTerminal, gone, { x: 8 })])).code).toBe(0)
  const values = await call<{ list: object[] }>(
    'variable/getVariableValues',
    { projectId, terminalIds: [rootTerminal, rootTerminal], variableIds: [gone, powerId], limit: 10 },
    a.admin,
  )
  expect(values.data?.list).toMatchObject([{ terminalId: rootTerminal, variableId: powerId }])
})

it.each([
  ['beyond the edge', [figure(rootTerminal, powerId, { x: 22 })], 'widgetMisfit'],
  ['covered', [figure(rootTerminal), figure(branchTerminal, powerId, { x: 2 })], 'widgetsOverlap'],
  ['twice', [figure(rootTerminal), figure(rootTerminal, powerId, { x: 8 })], 'widgetTwice'],
] as const)('refuses a widget that is %s', async (_, widgets, refusal) => {
  const { data } = await add()
  expect(await save(data?.id, widgets)).toMatchObject({ code: panelRefusals[refusal].code, field: 'widgets' })
})

it.each([
  [100, 0],
  [5, 5],
])('refuses a gauge from %i to %i at its field', async (least, most) => {
  const { data } = await add()
  const gauge = figure(rootTerminal, powerId, { kind: 'gauge', least, most })
  expect(await save(data?.id, [gauge])).toMatchObject({ field: 'widgets.0.most' })
  expect(await save(data?.id, [{ ...gauge, most: least + 1 }])).toMatchObject({ code: 0 })
})

it('is bounded: number of panels per project, bytes and variables per panel', async () => {
  const many = Array.from({ length: 48 }, (_, i) => ({
    key: `t${i}`,
    kind: 'table',
    x: (i % 3) * 8,
    y: Math.floor(i / 3) * 4,
    w: 8,
    h: 4,
    variables: Array.from({ length: 40 }, (_each, n) => ({ terminalId: 1 + i * 40 + n, variableId: 1 })),
  }))
  const { data } = await add()
  expect((await save(data?.id, many)).code).toBe(panelRefusals.panelTooLarge.code)
  expect((await save(data?.id, many.slice(0, 12))).code).toBe(panelRefusals.tooManyOnPanel.code)
  await sql`insert into panels (project_id, name) select ${projectId}, 'filler ' || n from generate_series(1, ${PANELS_MAX}) n`
  expect((await add()).code).toBe(panelRefusals.tooManyPanels.code)
  await sql`delete from panels where name like 'filler %'`
})

it('cannot be changed by users who may only view it, and is invisible to other customers', async () => {
  const { data } = await add()
  await sql`update user_groups set group_id = ${a.groups.root} where user_id = ${a.viewer.id}`
  expect((await read(data?.id, a.viewer)).code).toBe(0)
  expect((await save(data?.id, [], a.viewer)).code).toBe(sessionRefusals.noPermission.code)
  expect((await read(data?.id, b.admin)).code).toBe(sessionRefusals.noPermission.code)
  const listed = await call<{ list: object[] }>('panel/getPanelList', {}, b.admin)
  expect(listed.data?.list).toEqual([])
})

it('loses no edit: the second of two is refused with what the first one saved', async () => {
  const { data } = await add()
  const edition = (await read(data?.id)).data?.edition
  expect((await save(data?.id, [figure(rootTerminal)], a.admin, edition)).code).toBe(0)
  const late = await call<{ now: { widgets: object[] } }>(
    'panel/savePanel',
    { id: data?.id, widgets: [], edition },
    a.admin,
  )
  expect(late).toMatchObject({ code: 310, data: { now: { widgets: [{ kind: 'figure' }] } } })
})

it('keeps its pictures, and takes none of another customer', async () => {
  const { data } = await add()
  const showing = (imageId: string) => [{ key: 'p', kind: 'picture', x: 0, y: 0, w: 12, h: 9, imageId }]
  const [own, other] = [await upload(a.admin), await upload(b.admin)]
  expect((await save(data?.id, showing(own))).code).toBe(0)
  expect((await save(data?.id, showing(other))).code).toBe(sessionRefusals.noPermission.code)
  await sql`update images set created_at = now() - interval '2 days'`
  await upload(a.admin)
  expect(await sql`select id from images where id = ${own}`).toHaveLength(1)
})

it('is shown by a link to it with its pictures, and that link shows no other panel', async () => {
  const imageId = await upload(a.admin)
  const [shown, other] = [await add(), await add()]
  await save(shown.data?.id, [
    { key: 'p', kind: 'picture', x: 0, y: 0, w: 12, h: 9, imageId },
    figure(rootTerminal, powerId, { x: 12 }),
  ])
  const link = (panelId?: number, project = projectId) =>
    call<{ kioskToken: string }>('kiosk/addKioskLink', { projectId: project, panelId, name: 'hall' }, a.admin)
  const { kioskToken = '' } = (await link(shown.data?.id)).data ?? {}
  const big = (await link()).data?.kioskToken ?? ''
  const panel = async (id: number | undefined, of: string) =>
    (await call<Panel>('panel/getPanel', { id }, of)).code
  expect(await panel(shown.data?.id, kioskToken)).toBe(0)
  expect(await panel(other.data?.id, kioskToken)).toBe(sessionRefusals.noPermission.code)
  expect(await panel(shown.data?.id, big)).toBe(sessionRefusals.noPermission.code)
  const image = async (id: string, of: string) =>
    (await app.inject({ url: `/images/${id}`, headers: { token: of } })).statusCode
  expect([await image(imageId, kioskToken), await image(imageId, big)]).toEqual([200, 404])
  expect(await image(await upload(a.admin), kioskToken)).toBe(404)
  const [elsewhere] = await sql<{ id: number }[]>`
    insert into projects (customer_id, group_id, name, type) values (${a.customerId}, ${a.groups.other}, 'South hall', 'energy') returning id`
  expect(await link(shown.data?.id, elsewhere?.id)).toMatchObject({
    code: panelRefusals.panelOfOther.code,
    field: 'panelId',
  })
  await call('panel/deletePanel', { id: shown.data?.id }, a.admin)
  expect(await panel(shown.data?.id, kioskToken)).toBe(sessionRefusals.notLoggedIn.code)
})
