/** Limits under concurrency: one place is left, and 80 calls want it. */
import { expect, it } from 'vitest'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { accountRefusals } from '#schema/people/account-refusals'
import { EXTRA_MAX } from '#schema/platform/parameter'
import { VIEWS_MAX } from '#schema/platform/saved-view'
import { viewRefusals } from '#schema/platform/view-refusals'
import { reportRefusals } from '#schema/report/report-refusals'
import { SCHEDULES_MAX } from '#schema/report/report-schedule'
import { apiTest } from '#test/api-client'

const { call, context, tenants } = await apiTest()
const { sql } = context
const { admin } = tenants.a
const { customerId } = tenants.a
const TEMPLATES_MAX = 50
const AT_ONCE = 80

const schedule = {
  report: 'online',
  range: '7d',
  every: 'day',
  at: '08:00',
  zone: 'UTC',
  recipients: ['a@example.test'],
}

const bounds = [
  {
    what: 'note templates of a customer',
    refusal: alarmRefusals.noteTemplatesFull,
    fill: () => sql`
      insert into alarm_note_templates (customer_id, text)
      select ${customerId}, 'Held ' || n from generate_series(1, ${TEMPLATES_MAX - 1}) n`,
    add: (i: number) => call('alarm/saveNoteTemplate', { text: `New ${i}` }, admin),
    count: () => sql`select 1 from alarm_note_templates where customer_id = ${customerId}`,
    max: TEMPLATES_MAX,
  },
  {
    what: 'parameters of the platform',
    refusal: accountRefusals.parameterTooMany,
    fill: () => sql`
      insert into extra_parameters (customer_id, name_zh, name_en, value, updated_by)
      select null, '有 ' || n, 'Held ' || n, '1', 'x' from generate_series(1, ${EXTRA_MAX - 1}) n`,
    add: (i: number) =>
      call(
        'parameter/addParameter',
        { nameZh: `新 ${i}`, nameEn: `New ${i}`, value: '1' },
        tenants.systemAdmin,
      ),
    count: () => sql`select 1 from extra_parameters where customer_id is null`,
    max: EXTRA_MAX,
  },
  {
    what: 'saved views of a user',
    refusal: viewRefusals.viewTooMany,
    fill: () => sql`
      insert into saved_views (user_id, customer_id, list, name, query)
      select ${admin.id}, ${customerId}, 'device/getDeviceList', 'Held ' || n, '' from generate_series(1, ${VIEWS_MAX - 1}) n`,
    add: (i: number) => call('view/saveView', { list: 'device/getDeviceList', name: `New ${i}` }, admin),
    count: () => sql`select 1 from saved_views where user_id = ${admin.id}`,
    max: VIEWS_MAX,
  },
  {
    what: 'report schedules of a user',
    refusal: reportRefusals.tooManySchedules,
    fill: async () => {
      for (let i = 1; i < SCHEDULES_MAX; i++)
        await call('report/addReportSchedule', { ...schedule, name: `Held ${i}` }, admin)
    },
    add: (i: number) => call('report/addReportSchedule', { ...schedule, name: `New ${i}` }, admin),
    count: () => sql`select 1 from report_schedules where owner_id = ${admin.id}`,
    max: SCHEDULES_MAX,
  },
] as const

it.each(bounds)('$what: of 80 calls at once one gets the last place', async (bound) => {
  await bound.fill()
  const codes = (await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => bound.add(i)))).map(
    ({ code }) => code,
  )
  expect(codes).toContain(0)
  expect(codes.filter((code) => code === 0)).toHaveLength(1)
  expect(codes.filter((code) => code === bound.refusal.code)).toHaveLength(AT_ONCE - 1)
  expect(await bound.count()).toHaveLength(bound.max)
})
