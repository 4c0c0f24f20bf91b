/** [§8 Blocked deletes] What a customer still owns, by the foreign keys of the database: no table is forgotten. */
import type { Transaction } from '#infra/postgres'
import type { Language } from '#schema/kit/refusal'

type Names = Record<Language, string>
const names = (zhCN: string, zhTW: string, enUS: string): Names => ({
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'en-US': enUS,
})

export const ownedNames: Readonly<Record<string, Names>> = {
  devices: names('设备（含异常设备）', '裝置（含異常裝置）', 'devices (abnormal ones included)'),
  groups: names('分组', '群組', 'groups'),
  users: names('用户', '使用者', 'users'),
  roles: names('角色', '角色', 'roles'),
  packages: names('软件包', '套件', 'packages'),
  tasks: names('任务', '任務', 'tasks'),
  enrolment_keys: names('注册密钥', '註冊金鑰', 'enrolment keys'),
  contacts: names('告警联系人', '告警聯絡人', 'alarm contacts'),
  alarm_rules: names('告警规则', '告警規則', 'alarm rules'),
  alarm_channels: names('通知渠道', '通知管道', 'notice channels'),
  maintenances: names('维护窗口', '維護時段', 'maintenance windows'),
}
const other = names('其他数据', '其他資料', 'other records')

/** Rows that only remember something deleted are in nobody's way. */
const tombstone: Readonly<Record<string, string>> = {
  packages: 'deleted_at is not null',
  devices: 'purged_at is not null',
}

/** Every table with a `customer_id` that would keep the customer, and how many rows do. */
export async function ownedBy(
  tx: Transaction,
  customerId: number,
): Promise<{ table: string; total: number }[]> {
  const keys = await tx<{ table: string; column: string }[]>`
    select c.conrelid::regclass::text as "table", a.attname as "column"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'customers'::regclass and c.confdeltype in ('a', 'r') and c.conparentid = 0
    order by 1`
  const found: { table: string; total: number }[] = []
  for (const { table, column } of keys) {
    const dead = tombstone[table]
    const [row] = await tx<{ total: number }[]>`
      select count(*)::int as total from ${tx(table)} where ${tx(column)} = ${customerId} ${dead ? tx.unsafe(`and not (${dead})`) : tx``}`
    if (row && row.total > 0) found.push({ table, total: row.total })
  }
  return found
}

/** "2 users, 1 package", in the reader's language. */
export const ownedText = (owned: readonly { table: string; total: number }[], language: Language): string =>
  owned
    .map(({ table, total }) => `${(ownedNames[table] ?? other)[language]} ${total}`)
    .join(language === 'en-US' ? ', ' : '、')
