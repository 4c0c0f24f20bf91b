/** Buttons for rarely used imports, whose code is loaded on click. */
import { IconDownload, IconFileImport, IconTableImport } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { TEMPLATE_FORMAT } from '#schema/monitor/template/document'
import { getTemplateVariables } from '#schema/monitor/variable'
import { templateEditPermission } from '#schema/monitor/variable-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { t } from '../kit/i18n.ts'
import { reportError } from '../kit/query.ts'
import { saveFile } from '../kit/transfer.ts'
import { type Template, templateValues } from './template-fields.tsx'

const TemplateImport = lazy(() =>
  import('./template-import.tsx').then((module) => ({ default: module.TemplateImport })),
)
const VariablesImport = lazy(() =>
  import('./variables-import.tsx').then((module) => ({ default: module.VariablesImport })),
)

type TemplateImportProps = { customerId?: number | undefined; onDone?: (id: number) => void }

export function TemplateImportButton({ customerId, onDone }: TemplateImportProps) {
  const [opened, setOpened] = useState<boolean | null>(null)
  return (
    <>
      <ActionButton
        rank="secondary"
        icon={IconFileImport}
        label={t('collection-template:import')}
        permission={templateEditPermission}
        onPress={() => setOpened(true)}
      />
      {opened === null ? null : (
        <Suspense>
          <TemplateImport
            opened={opened}
            onClose={() => setOpened(false)}
            customerId={customerId}
            {...(onDone ? { onDone } : {})}
          />
        </Suspense>
      )}
    </>
  )
}

export function VariablesImportButton({ templateId }: { templateId: number }) {
  const [opened, setOpened] = useState<boolean | null>(null)
  return (
    <>
      <ActionButton
        rank="secondary"
        icon={IconTableImport}
        label={t('variable:import')}
        permission={templateEditPermission}
        onPress={() => setOpened(true)}
      />
      {opened === null ? null : (
        <Suspense>
          <VariablesImport templateId={templateId} opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}

/** All variables of a template fit into one page of this list. */
const ALL = 1_000

/** As the import reads it, without what belongs to this installation. */
async function exportTemplate(template: Template) {
  try {
    const { list } = await request(getTemplateVariables, { templateId: template.id, limit: ALL })
    const variables = list.map(({ id, templateId, slot, hidden, edition, ...facts }) =>
      Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)),
    )
    const { libraryKey } = template
    const document = {
      format: TEMPLATE_FORMAT,
      ...templateValues(template),
      ...(libraryKey ? { libraryKey } : {}),
      variables,
    }
    const text = JSON.stringify(document, null, 2)
    saveFile(new Blob([text], { type: 'application/json' }), `${template.name}.json`)
  } catch (error) {
    reportError(error)
  }
}

export const TemplateExportButton = ({ template }: { template: Template }) => (
  <ActionButton
    rank="secondary"
    icon={IconDownload}
    label={t('collection-template:export')}
    onPress={() => void exportTemplate(template)}
  />
)
