import FirnValues

/// The syntax tree of one statement: the source of its objects, and the stages applied to them.
package struct Statement: Hashable, Sendable {
    package let source: Source?
    /// The stages; there is at least one unless there is a source.
    ///
    /// A predicate before the first `|` is a `filter`. Each descriptor is a separate stage, in the
    /// order of the text.
    package let stages: [Stage]

    package init(source: Source?, stages: [Stage]) {
        self.source = source
        self.stages = stages
    }
}

/// The source of the objects of a statement.
package struct Source: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case className(String)
        /// The last result: `_`, or a text that begins with `|`.
        case lastResult
        /// A saved result: `:name`.
        case saved(String)
    }

    package let kind: Kind
    /// Whether the word is the only one before the first stage.
    ///
    /// If so, it can also be a condition: a Bool property of the default class. Only a schema can
    /// tell.
    package let standsAlone: Bool
    package let range: SourceRange

    package init(_ kind: Kind, standsAlone: Bool, range: SourceRange) {
        self.kind = kind
        self.standsAlone = standsAlone
        self.range = range
    }
}

/// One step of a statement.
package struct Stage: Hashable, Sendable {
    package indirect enum Kind: Hashable, Sendable {
        case filter(Predicate)
        case sort([SortKey])
        case distinct([Expression])
        case limit(Expression)
        /// `LIMIT(3 BY city)`: the first rows of each combination of the keys.
        case limitEach(Expression, [Expression])
        case skip(Expression)
        case project([ProjectionItem])
        /// `group(keys; items)`, whose keys can have names.
        case group([ProjectionItem], [ProjectionItem])
        case join(JoinClause)
        /// `each(tags)`: a row for each element; `eachOrNil` includes objects without elements.
        case each([ProjectionItem], keepsEmpty: Bool)
        /// `pivot(carrier; month; @count)`: a column for each month.
        case pivot(PivotClause)
        case count
        case exists
        case first
        case last
        case describe
        case explain
        case observe
        case histogram(Path, buckets: Expression?)
        case bar(Path)
        case spark(Path)
        case set([Assignment])
        case delete
        case output(format: String)
        case save(name: String)
        /// `! command`: the rest of the line, as a command for the system shell.
        case shell(command: String)
    }

    package let kind: Kind
    package let range: SourceRange

    package init(_ kind: Kind, range: SourceRange) {
        self.kind = kind
        self.range = range
    }
}

/// One criterion of a SORT.
package struct SortKey: Hashable, Sendable {
    package let expression: Expression
    package let descending: Bool

    package init(expression: Expression, descending: Bool) {
        self.expression = expression
        self.descending = descending
    }
}

/// One column of a projection or group, or `*` for all columns.
package struct ProjectionItem: Hashable, Sendable {
    /// A column that `*` leaves out.
    package struct Excluded: Hashable, Sendable {
        package let name: String
        package let range: SourceRange
    }

    package let expression: Expression
    /// The alias: `expression AS alias` or `alias = expression`.
    package let alias: String?
    package let range: SourceRange
    /// The columns that `*` leaves out; `nil` for any other item.
    package let excluded: [Excluded]?

    package init(expression: Expression, alias: String?, range: SourceRange) {
        self.expression = expression
        self.alias = alias
        self.range = range
        excluded = nil
    }

    /// Creates an item for all columns except some.
    init(allBut excluded: [Excluded], range: SourceRange) {
        let all = Path.Segment(.index(.all), range: range)
        expression = .path(Path(segments: [all], range: range))
        alias = nil
        self.range = range
        self.excluded = excluded
    }
}

/// One `path = expression` of a `set`.
package struct Assignment: Hashable, Sendable {
    package let path: Path
    package let expression: Expression
}
