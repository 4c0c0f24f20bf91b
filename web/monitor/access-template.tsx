/** The last steps of fast access: what is collected from the terminal, and which variables that are. */
import { Group, Stack, Text } from '@mantine/core'
import { getTerminalTemplates } from '#schema/device/terminal'
import { getTemplate, templateListScreen } from '#schema/monitor/collection-template'
import { getProjectList } from '#schema/monitor/project'
import { getTemplateVariables } from '#schema/monitor/variable'
import { ActionButton } from '../kit/action-button.tsx'
import { Empty } from '../kit/empty.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useCall } from '../kit/query.ts'
import { holdsScreen } from '../kit/session.ts'
import { ChoiceList, useSearchText } from './choice-list.tsx'
import { TemplateImportButton } from './import-buttons.tsx'
import { RowsTable } from './rows-table.tsx'
import { unitText } from './variable-columns.tsx'

const PROJECTS_MAX = 500
const VARIABLES_SHOWN = 1_000

type Props = {
  projectId: number
  deviceId: number
  chosen: number | null
  onChoose: (id: number) => void
  /** Of a terminal that exists: it has its template. */
  fixed: boolean
}

export function AccessTemplate({ projectId, deviceId, chosen, onChoose, fixed }: Props) {
  const search = useSearchText()
  const found = useCall(
    getTerminalTemplates,
    { deviceId, ...search.asked },
    { keepPrevious: true, enabled: !fixed },
  )
  const own = useCall(getTemplate, { id: chosen ?? 0 }, { enabled: fixed && chosen !== null })
  const projects = useCall(getProjectList, { limit: PROJECTS_MAX }, { enabled: !fixed })
  const customerId = projects.data?.list.find(({ id }) => id === projectId)?.customerId
  const list = fixed ? own.data && [own.data] : found.data?.list
  return (
    <Stack gap="sm">
      {fixed ? (
        <Text size="sm" c="dimmed">
          {t('fast-access:ownTemplate')}
        </Text>
      ) : null}
      <ChoiceList
        label={t('fast-access:step.template')}
        search={search}
        choices={list?.map(({ id, name, type, variableCount }) => ({
          id,
          name,
          line: [
            t(`collection-template:type.${type}`),
            t('collection-template:countOfVariables', { count: variableCount }),
          ].join(' · '),
        }))}
        error={fixed ? own.error : found.error}
        chosen={chosen}
        onChoose={onChoose}
        action={
          fixed ? undefined : (
            <TemplateImportButton
              customerId={customerId}
              onDone={(id) => {
                void found.refetch()
                onChoose(id)
              }}
            />
          )
        }
        empty={{ title: t('collection-template:first.title'), text: t('fast-access:noTemplateText') }}
      />
    </Stack>
  )
}

export function AccessVariables({ templateId }: { templateId: number }) {
  const found = useCall(getTemplateVariables, { templateId, limit: VARIABLES_SHOWN })
  if (found.error && !found.data) return <ErrorBar error={found.error} />
  const edit = holdsScreen(templateListScreen) ? (
    <ActionButton
      label={t('fast-access:openTemplate')}
      onPress={() => goTo(`${templateListScreen.path}/${templateId}`)}
    />
  ) : undefined
  const list = found.data?.list ?? []
  if (found.data && list.length === 0)
    return (
      <Empty title={t('fast-access:noVariables')} text={t('fast-access:noVariablesText')} action={edit} />
    )
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('collection-template:countOfVariables', { count: list.length })}
        </Text>
        {edit}
      </Group>
      <RowsTable
        heads={['name', 'unit', 'registerType', 'address', 'dataType', 'cycleS'].map((name) =>
          t(`variable:field.${name}` as never),
        )}
        rows={list.map((row) => ({
          key: row.id,
          cells: [
            row.name,
            unitText(row.unit),
            row.registerType === null
              ? t(`variable:ioController.${row.ioController}`)
              : t(`variable:registerType.${row.registerType}`),
            row.address ?? row.interfaceNumber,
            t(`variable:dataType.${row.dataType}`),
            number(row.cycleS),
          ],
        }))}
      />
    </Stack>
  )
}
