import { Button, Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { getTemplate, templateListScreen, templateScreen } from '#schema/monitor/collection-template'
import { getTemplateVariables } from '#schema/monitor/variable'
import { NO_PERMISSION } from '../kit/api.ts'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { goTo } from '../kit/navigation.ts'
import { usePage, usePageTitle } from '../kit/page/page.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { useCall } from '../kit/query.ts'
import { TemplateExportButton, VariablesImportButton } from '../monitor/import-buttons.tsx'
import { Reach } from '../monitor/template-fields.tsx'
import { variableColumns } from '../monitor/variable-columns.tsx'
import { variableEditor } from '../monitor/variable-editor.tsx'

export const words: readonly Word[] = ['collection-template', 'variable']

const NoTemplate = () => (
  <>
    <PageHeader title={screenTitle(templateScreen)} />
    <Empty
      kind="noPermission"
      title={t('collection-template:gone.title')}
      text={t('collection-template:gone.text')}
      action={
        <Button variant="default" onClick={() => goTo(templateListScreen.path)}>
          {t('collection-template:gone.back')}
        </Button>
      }
    />
  </>
)

/** The page that the specification names EditCollection: a template with its variables. */
export function Page() {
  const { params } = usePage()
  const id = Number(params['id'])
  const possible = Number.isSafeInteger(id) && id > 0
  const read = useCall(getTemplate, { id }, { enabled: possible })
  const template = read.data
  const editor = useMemo(() => variableEditor(id), [id])
  usePageTitle(template?.name)
  if (!possible || read.error?.code === NO_PERMISSION) return <NoTemplate />
  if (!template)
    return (
      <>
        <ReadBar read={read} />
        {read.error ? null : <Skeleton h={420} />}
      </>
    )
  return (
    <ListView<typeof getTemplateVariables>
      call={getTemplateVariables}
      rowKey="id"
      columns={variableColumns}
      body={{ templateId: id }}
      searchPlaceholder="variable:searchOwn"
      exportName="variables"
      rowActions={editor.actions(template)}
      header={(context) => (
        <PageHeader
          title={template.name}
          line={<Reach templateId={id} />}
          actions={
            <>
              <TemplateExportButton template={template} />
              {template.changeable ? (
                <>
                  <VariablesImportButton templateId={id} />
                  <editor.Actions {...context} />
                </>
              ) : null}
            </>
          }
        />
      )}
      empty={() => (
        <Empty
          title={t('variable:first.title')}
          text={t('variable:first.own')}
          action={template.changeable ? <editor.CreateButton /> : undefined}
        />
      )}
    />
  )
}
