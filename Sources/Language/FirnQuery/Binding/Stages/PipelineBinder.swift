import FirnEngine
package import FirnSyntax
import FirnValues

/// Binds the stages of a statement from left to right.
struct PipelineBinder {
    private(set) var binder: Binder
    private var bound: [BoundStage] = []
    /// The projection, which is executed after the later stages that are bound to it.
    private var projection: [BoundProjection]?
    /// The stage that delivers a row for each element, and its place among the stages.
    private var unnest: (stage: BoundUnnest, place: Int, mentioned: MentionedColumns)?
    /// The chart or the pivot, which is executed last.
    private var final: BoundStage?
    private(set) var explain = false

    init(binder: Binder) { self.binder = binder }

    var stages: [BoundStage] {
        bound + (projection.map { [.project($0)] } ?? []) + (final.map { [$0] } ?? [])
    }

    /// Ends the statement; all of its columns are known now.
    mutating func finish() {
        guard let (stage, place, mentioned) = unnest else { return }
        let hasColumns = bound[place...].contains { stage in
            switch stage {
            case .group, .window, .aggregate, .count, .exists: true
            default: false
            }
        }
        if projection == nil, !hasColumns, let outputs = binder.outputs {
            projection = outputs.map { output in
                mentioned.mention(output.value.expression)
                return BoundProjection(
                    output.value.expression, name: output.name, type: output.value.type,
                    display: output.value.expression.display)
            }
        }
        bound[place] = .unnest(stage.using(mentioned.indices))
    }

    mutating func append(_ stage: Stage) throws(QueryError) {
        if explain {
            throw QueryError(
                .usage, "explain must be the last stage", at: stage.range.bytes)
        }
        if case .explain = stage.kind {
            explain = true
            return
        }
        if case .aggregate(let aggregates)? = bound.last { groupAll(aggregates) }
        if let last = stages.last, last.isFinal { throw cannotFollow(stage, last) }
        if let chart = try ChartBinder(binder: binder).bind(stage) {
            final = .chart(chart)
            return
        }
        switch stage.kind {
        case .sort(let keys): try appendSort(keys)
        case .project(let items): try appendProjection(items)
        case .join(let clause):
            let join = try JoinBinder(binder: binder).bind(clause, stage.range)
            binder.joins[join.name] = join
            bound.append(.join(join))
        case .group(let keys, let items):
            append(try GroupBinder(binder: binder).bind(keys, items))
        case .each(let items, let keepsEmpty):
            try appendUnnest(items, keepsEmpty: keepsEmpty, stage.range)
        case .pivot(let clause): try appendPivot(clause, stage.range)
        case .count:
            projection = nil
            bound.append(.count)
        case .exists:
            projection = nil
            bound.append(.exists)
        default: bound.append(try rows(stage))
        }
    }

    /// Binds a stage that keeps some of the rows.
    private func rows(_ stage: Stage) throws(QueryError) -> BoundStage {
        switch stage.kind {
        case .filter(let predicate) where binder.containsAggregate(predicate):
            let scope = WindowScope()
            var scoped = binder
            scoped.windowScope = scope
            let condition = try scoped.predicate(predicate)
            return .filterAmong(scope.columns, condition)
        case .filter(let predicate):
            let bound = try binder.predicate(predicate)
            assert(bound.holdsInvariants, "\(bound)")
            return .filter(bound)
        case .distinct(let keys):
            var expressions: [BoundExpression] = []
            for key in keys {
                let expression = try self.key(key, "DISTINCT").expression
                if !expressions.contains(expression) { expressions.append(expression) }
            }
            return .distinct(expressions)
        case .limit(let count): return .limit(try rowCount(count, "LIMIT"))
        case .limitEach(let count, let keys):
            var expressions: [BoundExpression] = []
            for key in keys { expressions.append(try self.key(key, "LIMIT BY").expression) }
            return .limitEach(try rowCount(count, "LIMIT"), expressions)
        case .skip(let count): return .skip(try rowCount(count, "SKIP"))
        case .first: return .first
        case .last: return .last
        case .set, .delete:
            throw QueryError(
                .usage, "\"\(stage.word)\" changes objects and has no rows to deliver",
                at: stage.range.bytes)
        default: throw binder.unsupported("the stage \"\(stage.word)\"", stage.range)
        }
    }

    private func cannotFollow(_ stage: Stage, _ last: BoundStage) -> QueryError {
        QueryError(
            .usage, "\"\(stage.word)\" cannot follow \"\(last.word)\"", at: stage.range.bytes)
    }

    // MARK: Columns

    private mutating func appendProjection(_ items: [ProjectionItem]) throws(QueryError) {
        let columns =
            projection?.map(\.name) ?? binder.outputs?.map(\.name)
            ?? binder.classSchema.properties.map(\.name)
        let projected = try ProjectionBinder(binder: binder).bind(items.expanded(to: columns))
        switch projected {
        case .aggregates(let aggregates):
            projection = nil
            bound.append(.aggregate(aggregates))
        case .columns(let columns, let aliases):
            projection = columns
            binder.aliases.merge(aliases) { $1 }
            // An aggregate that is no longer a column is one of the rows again.
            binder.outputs = binder.outputs?.filter { output in
                !output.name.utf8.starts(with: "@".utf8)
                    || columns.contains { $0.name.utf8.elementsEqual(output.name.utf8) }
            }
        case .group(let group): append(group)
        case .windows(let windows):
            projection = windows.projection
            binder.aliases = [:]
            binder.outputs = windows.outputs
            binder.mentioned = nil
            binder.joins = [:]
            bound.append(.window(windows.columns))
        }
    }

    /// Appends a stage that delivers a row for each element; later stages work on its columns.
    private mutating func appendUnnest(
        _ items: [ProjectionItem], keepsEmpty: Bool, _ range: SourceRange
    ) throws(QueryError) {
        let stage = try UnnestBinder(binder: binder, projection: projection)
            .bind(items, keepsEmpty: keepsEmpty, range)
        let mentioned = MentionedColumns()
        unnest = (stage, bound.count, mentioned)
        bound.append(.unnest(stage))
        projection = nil
        binder.aliases = [:]
        binder.joins = [:]
        binder.mentioned = mentioned
        let outputs = stage.columns.enumerated().map { index, column in
            Binder.Output(
                name: column.name,
                value: Computed(
                    .column(
                        .output(
                            index, name: column.name, type: column.type, display: column.display))))
        }
        // The columns that stay are in front of the elements.
        let named = stage.namedCount
        binder.outputs = Array(outputs[named...] + outputs[..<named])
    }

    /// Appends a stage that turns a key into columns, and the group that it may contain.
    private mutating func appendPivot(
        _ clause: PivotClause, _ range: SourceRange
    ) throws(QueryError) {
        var column = clause.column
        var values: [Value]?
        if let elements = clause.values {
            values = try PivotBinder.values(elements, of: column, binder)
        }
        if let group = clause.group {
            let range = column.expression.range
            let name =
                if case .path(let path) = column.expression { path.outputText } else {
                    binder.typed(range)
                }
            column = ProjectionItem(
                expression: column.expression, alias: column.alias ?? name, range: range)
            append(try GroupBinder(binder: binder).bind(group.rows + [column], group.items))
        }
        let computed = bound.last { stage in
            switch stage {
            case .group, .window, .unnest: true
            default: false
            }
        }
        guard case .group(_, let items)? = computed, let outputs = binder.outputs else {
            throw binder.typeError(
                "pivot needs the values of groups", range, hint: "such as pivot(city; year; @count)"
            )
        }
        let columns =
            projection
            ?? outputs.map { output in
                BoundProjection(
                    output.value.expression, name: output.name, type: output.value.type,
                    display: output.value.expression.display)
            }
        final = .pivot(
            try PivotBinder(binder: binder, columns: columns, items: items)
                .bind(column, values: values))
    }

    /// Replaces the aggregates over all rows with a single group of all rows, so that other stages
    /// can follow.
    private mutating func groupAll(_ aggregates: [BoundAggregate]) {
        bound.removeLast()
        let outputs = aggregates.enumerated().map { index, aggregate in
            Binder.Output(
                name: aggregate.name,
                value: Computed(
                    .column(
                        .output(
                            index, name: aggregate.name, type: aggregate.type,
                            display: aggregate.display))))
        }
        append(
            GroupBinder.Group(
                keys: [], items: aggregates.map { .aggregate($0) }, outputs: outputs,
                projection: nil))
    }

    /// Appends a group; later stages work on its columns.
    private mutating func append(_ group: GroupBinder.Group) {
        projection = group.projection
        binder.aliases = [:]
        binder.outputs = group.outputs
        binder.mentioned = nil
        // The names of objects belong to the rows before.
        binder.joins = [:]
        bound.append(.group(keys: group.keys, items: group.items))
    }

    // MARK: Descriptors

    /// Appends a sort, or merges it with an adjacent one.
    ///
    /// The later sort is primary, and the earlier one decides ties.
    private mutating func appendSort(_ keys: [SortKey]) throws(QueryError) {
        var merged: [BoundSortKey] = []
        for key in keys {
            let value = try self.key(key.expression, "SORT")
            if value.type.base == .link {
                throw binder.typeError(
                    "\(binder.describe(value)) has no order", key.expression.range,
                    hint: "name one of its properties")
            }
            // A repeated key has no effect.
            guard !merged.contains(where: { $0.expression == value.expression }) else { continue }
            merged.append(BoundSortKey(value.expression, descending: key.descending))
        }
        if case .sort(let earlier) = bound.last {
            bound.removeLast()
            merged += earlier.filter { key in
                !merged.contains { $0.expression == key.expression }
            }
        }
        bound.append(.sort(merged))
    }

    /// Binds the single value of each object that a descriptor uses.
    private func key(_ expression: Expression, _ word: String) throws(QueryError) -> Computed {
        let operand = try binder.operand(expression)
        if let computed = try binder.key(operand, of: expression) { return computed }
        if operand.isConstant {
            throw binder.typeError(
                "\(word) needs a property, not \(binder.describe(operand))", expression.range)
        }
        throw binder.typeError(
            "\(word) needs one value for each object, not \(binder.describe(operand))",
            expression.range, hint: "such as its @count")
    }

    private func rowCount(_ expression: Expression, _ word: String) throws(QueryError) -> Int {
        if case .constant(.int(let count)) = try binder.operand(expression), count >= 0,
            let rows = Int(exactly: count)
        {
            return rows
        }
        throw binder.typeError("\(word) needs a whole number of at least 0", expression.range)
    }
}

extension BoundQuery {
    /// Parses a text and binds it to the schema of the context.
    ///
    /// Several command line arguments form one text, joined by ` | `.
    ///
    /// - Complexity: O(length of the text), times the number of properties of the class.
    package init(
        _ text: String, entry: QueryEntry, in context: BindingContext
    ) throws(QueryError) {
        let statement = try Statement.parse(text, entry: entry)
        try self.init(statement, text: text, in: context)
    }

    /// Binds the tree of a text to the schema of the context.
    package init(
        _ statement: Statement, text: String, in context: BindingContext
    ) throws(QueryError) {
        let source = try SourceBinder(statement: statement, text: text, context: context).bind()
        let binder = Binder(classSchema: source.classSchema, context: context, text: text)
        var pipeline = PipelineBinder(binder: binder)
        for stage in source.stages { try pipeline.append(stage) }
        pipeline.finish()
        self.init(
            classSchema: source.classSchema, stages: pipeline.stages, explain: pipeline.explain,
            text: text)
    }
}
