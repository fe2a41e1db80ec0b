// Answers requests by graphql-js, one JSON document a line, so that the tests can
// compare. With the name of a file of requests it writes their answers instead:
//   node oracle.mjs corpus.json > golden.json
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { buildClientSchema, buildSchema, execute, getIntrospectionQuery, lexicographicSortSchema, parse, printSchema, validate } from 'graphql'

const schema = buildSchema(readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'))

// hero is what the Go side calls hero too: everything follows from its number.
const hero = (n) => ({
  id: String(n),
  name: `hero "${n}" \u00e9\u{1F600}\n\b`,
  nick: n % 3 ? `nick ${n}` : null,
  age: n % 5 ? n * 10 : null,
  height: n % 4 ? n / 8 + 1e-7 : null,
  alive: n % 2 === 0,
  color: ['RED', 'GREEN', 'BLUE'][Math.abs(n % 3)],
  tags: n % 4 ? Array.from({ length: n % 4 }, (_, i) => `t${i}`) : null,
  matrix: n % 3 ? [[n, null], []] : null,
  friends: ({ first }) => Array.from({ length: Math.min(5, Math.max(0, first ?? 0)) }, (_, i) => hero(n + i + 1)),
  maybeFriends: () => (n % 2 ? [hero(n + 2), null, hero(n + 3)] : null),
  mentor: n % 4 ? () => hero(n + 1) : null,
  rival: n % 7 ? () => hero(n + 5) : null,
  big: n % 2 ? 2147483648 : 2147483647,
  boom: () => { throw new Error(`boom ${n}`) },
  bang: () => { if (n % 2) throw new Error(`bang ${n}`); return 'quiet' },
})

const find = (id) => (/^[1-9][0-9]{0,3}$/.test(id) ? hero(Number(id)) : null)

const show = (value) => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(show).join()}]`
  return `{${Object.keys(value).sort().map((key) => `${key}:${show(value[key])}`).join()}}`
}

const root = {
  hero: ({ id }) => find(id),
  heroes: ({ first, from }) => Array.from({ length: Math.min(5, Math.max(0, first ?? 0)) }, (_, i) => ((from + i) % 4 ? hero(from + i) : null)),
  strict: ({ id }) => find(id),
  echo: show,
  need: show,
  boom: () => { throw new Error('boom') },
  bang: () => { throw new Error('bang') },
  old: 7,
  next: ({ by }, context) => (context.count += by),
}
const mutation = { next: root.next, boom: root.boom, bang: root.bang }

const answer = ({ query, variables, operationName }) => {
  let document
  try {
    document = parse(query)
  } catch (error) {
    return { refused: 'syntax', errors: [error] }
  }
  const errors = validate(schema, document)
  if (errors.length) return { refused: 'validation', errors }
  const named = document.definitions.find((d) => d.kind === 'OperationDefinition' && (!operationName || d.name?.value === operationName))
  const result = execute({
    schema, document, operationName, variableValues: variables ?? undefined,
    rootValue: named?.operation === 'mutation' ? mutation : root, contextValue: { count: 0 },
  })
  if (!('data' in result)) return { refused: 'request', errors: result.errors }
  return result
}

// Two ways to one schema: from its text, and from an introspection of it.
const schemas = ({ sdl, introspection }) => ({
  text: printSchema(lexicographicSortSchema(buildSchema(sdl))),
  introspected: printSchema(lexicographicSortSchema(buildClientSchema(introspection))),
})

const reply = (request) => {
  if (request.ask === 'introspection') return { query: getIntrospectionQuery({ inputValueDeprecation: true, directiveIsRepeatable: true, schemaDescription: true, oneOf: true }) }
  if (request.ask === 'schemas') return schemas(request)
  return answer(request)
}

if (process.argv[2]) {
  const cases = JSON.parse(readFileSync(process.argv[2], 'utf8'))
  const answered = cases.map((request) => `  ${JSON.stringify({ ...request, answer: answer(request) })}`)
  process.stdout.write(`[\n${answered.join(',\n')}\n]\n`)
} else {
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(reply(JSON.parse(line)))}\n`)
  }
}
