/// The tree of one statement: where its objects come from and what happens to them.
package struct Statement: Hashable, Sendable {
    package let source: Source?
    /// At least one unless there is a source; a predicate before the first `|` is a `filter`, and
    /// each descriptor is a stage of its own, in the order of the text.
    package let stages: [Stage]

    package init(source: Source?, stages: [Stage]) {
        self.source = source
        self.stages = stages
    }
}

/// Where the objects of a statement come from.
package struct Source: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case className(String)
        /// `_`, or a text that begins with `|`.
        case lastResult
        /// `:name`
        case saved(String)
    }

    package let kind: Kind
    /// Whether the word is all there is before the first stage.
    ///
    /// Then it may as well be a condition, a Bool property of the class that the surroundings
    /// say; only a schema can tell.
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
        case skip(Expression)
        case project([ProjectionItem])
        case group([Expression], [ProjectionItem])
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
        /// `! command`: the rest of the line, for the shell of the system.
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

/// One column of a projection or group.
package struct ProjectionItem: Hashable, Sendable {
    package let expression: Expression
    /// `expression AS alias` or `alias = expression`.
    package let alias: String?
    package let range: SourceRange

    package init(expression: Expression, alias: String?, range: SourceRange) {
        self.expression = expression
        self.alias = alias
        self.range = range
    }
}

/// One `path = expression` of a `set`.
package struct Assignment: Hashable, Sendable {
    package let path: Path
    package let expression: Expression

    package init(path: Path, expression: Expression) {
        self.path = path
        self.expression = expression
    }
}
