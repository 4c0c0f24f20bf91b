/** The titles of the tests of a file, read from its syntax tree. */
import { type ESTree, parseSync, Visitor } from 'vite'

const makers = ['it', 'test', 'describe']

type Maker = { table: ESTree.Argument | undefined }

/** What makes a test in `it(…)`, `it.each(table)(…)` or `describe.skipIf(…)(…)`; null for other calls and for tests that never run. */
function makerOf(callee: ESTree.Expression): Maker | null {
  if (callee.type === 'Identifier') return makers.includes(callee.name) ? { table: undefined } : null
  if (callee.type === 'CallExpression') {
    const maker = makerOf(callee.callee)
    return maker && { table: isEach(callee.callee) ? callee.arguments[0] : maker.table }
  }
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return null
  return ['skip', 'todo'].includes(callee.property.name) ? null : makerOf(callee.object)
}

const isEach = (callee: ESTree.Expression) =>
  callee.type === 'MemberExpression' &&
  callee.property.type === 'Identifier' &&
  callee.property.name === 'each'

function textOf(node: ESTree.Node | null | undefined): string | null {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node?.type === 'TemplateLiteral')
    return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('…')
  return null
}

/** The first text of each row of a table written in place: what `%s` becomes in the title. */
function rowsOf(table: ESTree.Node | undefined): string[] {
  if (table?.type === 'TSAsExpression') return rowsOf(table.expression)
  if (table?.type !== 'ArrayExpression') return []
  return table.elements.flatMap(
    (row) => textOf(row?.type === 'ArrayExpression' ? row.elements[0] : row) ?? [],
  )
}

export function testTitles(path: string, text: string): string[] {
  const titles: string[] = []
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  new Visitor({
    CallExpression: ({ callee, arguments: [first] }) => {
      const maker = isEach(callee) ? null : makerOf(callee)
      const title = maker && textOf(first)
      if (title !== null) titles.push(title, ...rowsOf(maker?.table).map((row) => title.replace('%s', row)))
    },
  }).visit(program)
  return titles
}
