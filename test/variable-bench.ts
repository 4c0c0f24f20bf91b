/** For tests of notices about variables: a gateway with a boiler whose temperature is watched. */
import { qualityCode } from '#schema/monitor/fields'
import type { Limits, Operator } from '#schema/monitor/notice/variable-condition'
import { openAlarmBench } from './alarm-bench.ts'

export type Watching = Partial<Limits> & {
  operator: Operator
  withinS?: number
  minutes?: number
  formula?: string
  forS?: number
}
type Seen = {
  open: boolean
  detail: string | null
  reason: string | null
  why: string | null
  times: number
}
type QualityName = Parameters<typeof qualityCode>[0]

export async function openVariableBench() {
  const alarms = await openAlarmBench()
  const { bench, device, addRule, later } = alarms
  const { sql } = bench.ctx
  const { customerId } = bench.tenants.a
  const place = { terminalId: 0, variableId: 0 }
  const one = async (query: Promise<readonly { id: number }[]>) => (await query)[0]?.id ?? 0

  /** A sample as the data path stores it. */
  async function sample(value: number | null, quality: QualityName = 'good', ageMs = 0) {
    const at = new Date(bench.ctx.now().getTime() - ageMs)
    const code = qualityCode(quality)
    const { terminalId } = place
    await sql`
      insert into variable_reports (at, terminal_id, plan, slots, vals, quality)
      values (${at}, ${terminalId}, 1, '{3}', ${[value] as number[]}::float8[], ${[code]}::smallint[]) on conflict do nothing`
    const ms = at.getTime()
    // Slot 3 is the fourth element.
    await sql`
      update terminal_latest set at[4] = ${ms}::bigint, vals[4] = ${value}::float8, quality[4] = ${code}::smallint,
        good_at[4] = ${value === null ? sql`good_at[4]` : sql`${ms}::bigint`},
        good_vals[4] = ${value === null ? sql`good_vals[4]` : sql`${value}::float8`} where terminal_id = ${terminalId}`
  }

  return {
    ...alarms,
    place,
    sample,
    async begin() {
      await alarms.begin()
      await sql`truncate collection_templates, terminals, variable_reports cascade`
      const templateId = await one(sql`
        insert into collection_templates (customer_id, name, type) values (${customerId}, 'Meter', 'powerMeter') returning id`)
      place.variableId = await one(sql`
        insert into variables (template_id, slot, name, unit, register_type, address, data_type, precision, cycle_s, report_type)
        values (${templateId}, 3, 'Temperature', '°C', 'holding', 0, 'int16', 1, 10, 'both') returning id`)
      place.terminalId = await one(sql`
        insert into terminals (device_id, name, template_id, template_since, protocol, slave_id, slave_address)
        values (${device.id}, 'Boiler', ${templateId}, ${new Date(0)}, 'modbusTcp', 1, '10.0.0.1') returning id`)
      await sql`
        insert into terminal_states (terminal_id, state, since) values (${place.terminalId}, 'answering', ${bench.ctx.now()})`
    },
    async watch({ operator, forS = 0, ...of }: Watching): Promise<number> {
      const id = await addRule({ kind: 'variable' })
      await sql`update alarm_rules set for_seconds = ${forS}, updated_at = ${bench.ctx.now()}, alert_text = '{terminal} {variable} {value}: {condition}' where id = ${id}`
      await sql`
        insert into alarm_conditions (rule_id, variable_id, variable_name, unit, operator, low, high, recover_at, hysteresis, bit, within_s, minutes, formula)
        values (${id}, ${place.variableId}, 'Temperature', '°C', ${operator}, ${of.low ?? null}, ${of.high ?? null}, ${of.recoverAt ?? null},
          ${of.hysteresis ?? null}, ${of.bit ?? null}, ${of.withinS ?? null}, ${of.minutes ?? null}, ${of.formula ?? null})`
      return id
    },
    seen: () => sql<Seen[]>`
      select ended_at is null as open, detail, end_reason as reason, unknown_why as why, times from alarms order by id`,
    /** Time passes, a value comes, and the round looks. */
    async comes(value: number | null, quality?: QualityName) {
      bench.pass(10_000)
      await sample(value, quality)
      await later(0)
    },
  }
}
