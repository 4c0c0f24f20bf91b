/** The fourth step of fast access: what is collected from the terminal. */
import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { getTerminalTemplates } from '#schema/device/terminal'
import { addTemplate, getTemplate } from '#schema/monitor/collection-template'
import { getProjectList } from '#schema/monitor/project'
import { templateEditPermission } from '#schema/monitor/variable-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { ChoiceList, useSearchText } from './choice-list.tsx'
import { TemplateImportButton } from './import-buttons.tsx'
import { templateFields } from './template-fields.tsx'

const PROJECTS_MAX = 500

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
  const [opened, setOpened] = useState(false)
  const found = useCall(
    getTerminalTemplates,
    { deviceId, ...search.asked },
    { keepPrevious: true, enabled: !fixed },
  )
  const own = useCall(getTemplate, { id: chosen ?? 0 }, { enabled: fixed && chosen !== null })
  const projects = useCall(getProjectList, { limit: PROJECTS_MAX }, { enabled: !fixed })
  const customerId = projects.data?.list.find(({ id }) => id === projectId)?.customerId
  const choose = (id: number) => {
    void found.refetch()
    onChoose(id)
  }
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
            <>
              <TemplateImportButton customerId={customerId} onDone={choose} />
              <ActionButton
                label={t('collection-template:create')}
                permission={templateEditPermission}
                onPress={() => setOpened(true)}
              />
            </>
          )
        }
        empty={{ title: t('collection-template:first.title'), text: t('fast-access:noTemplateText') }}
      />
      {fixed ? null : (
        <FormDrawer
          opened={opened}
          onClose={() => setOpened(false)}
          title={t('collection-template:create')}
          verb={t('collection-template:create')}
          call={addTemplate}
          fields={templateFields(null)}
          {...(customerId === undefined ? {} : { initial: { customerId: String(customerId) } })}
          refreshes={[getTerminalTemplates]}
          success={t('collection-template:saved')}
          onDone={({ id }) => choose(id)}
        />
      )}
    </Stack>
  )
}
