import FirnCodec
import FirnEngine
import FirnValues

/// How a bound query is carried out: one scan with all conditions that come first, then steps in
/// their order, then the output.
struct QueryPlan: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case filter(BoundPredicate)
        /// With a limit only the first so many rows are wanted: a limit follows.
        case sort([BoundSortKey], limit: Int?)
        case distinct([BoundColumn])
        case limit(Int)
        case skip(Int)
        case last
    }

    enum Output: Hashable, Sendable {
        case columns([BoundProjection])
        case aggregates([BoundAggregate])
        case count
        case exists
    }

    /// Decided by zone maps and on encoded pages.
    private(set) var scan = BoundPredicate.always(true)
    private(set) var steps: [Step] = []
    private(set) var output: Output

    init(_ query: BoundQuery) {
        output = .columns(
            query.classSchema.properties.map {
                BoundProjection(column: .property($0), name: $0.name)
            })
        var stages = query.stages[...]
        var conditions: [BoundPredicate] = []
        while case .filter(let predicate)? = stages.first {
            conditions.append(predicate)
            stages.removeFirst()
        }
        scan = QueryPlan.conjunction(conditions)
        for stage in stages { add(stage) }
        dropUnseenSorts()
        boundSorts()
    }

    private mutating func add(_ stage: BoundStage) {
        switch stage {
        case .filter(let predicate): steps.append(.filter(predicate))
        case .sort(let keys): steps.append(.sort(keys, limit: nil))
        case .distinct: preconditionFailure("contract")
        case .group: preconditionFailure("contract")
        case .limit(let count): steps.append(.limit(count))
        case .skip(let count): steps.append(.skip(count))
        case .first: steps.append(.limit(1))
        case .last: steps.append(.last)
        case .project(let projections): output = .columns(projections)
        case .aggregate(let aggregates): output = .aggregates(aggregates)
        case .count: output = .count
        case .exists: output = .exists
        }
    }

    /// Cheap conditions first: a range of codes costs less than a search in text.
    private static func conjunction(_ conditions: [BoundPredicate]) -> BoundPredicate {
        var operands: [BoundPredicate] = []
        for condition in conditions {
            if case .and(let inner) = condition {
                operands += inner
            } else {
                operands.append(condition)
            }
        }
        operands.removeAll { $0 == .always(true) }
        if operands.contains(.always(false)) { return .always(false) }
        guard operands.count > 1 else { return operands.first ?? .always(true) }
        let ranked = operands.enumerated().sorted { left, right in
            (cost(left.element), left.offset) < (cost(right.element), right.offset)
        }
        return .and(ranked.map(\.element))
    }

    private static func cost(_ predicate: BoundPredicate) -> Int {
        switch predicate {
        case .always: 0
        case .test(_, .text): 20
        case .test(.property(let property), _): property.type.base == .string ? 3 : 1
        case .test(.rowID, _): 2
        case .compareColumns: 10
        case .test: 2
        case .through, .quantified, .compare, .compareEach, .testExpression, .isCollection,
            .match, .matchEach:
            50
        case .not(let operand): cost(operand)
        case .and(let operands), .or(let operands): operands.reduce(0) { $0 + cost($1) }
        }
    }

    /// A sort is not needed if only sets of rows are looked at behind it: their number or values
    /// over all of them, after conditions at most.
    private mutating func dropUnseenSorts() {
        switch output {
        case .columns: return
        case .count, .exists, .aggregates: break
        }
        while let index = steps.lastIndex(where: { if case .filter = $0 { false } else { true } }),
            case .sort = steps[index]
        {
            steps.remove(at: index)
        }
    }

    /// A sort need not keep more rows than a limit behind it lets through.
    private mutating func boundSorts() {
        for index in steps.indices {
            guard case .sort(let keys, _) = steps[index] else { continue }
            var skipped = 0
            for step in steps[(index + 1)...] {
                if case .skip(let count) = step {
                    skipped = skipped.addingReportingOverflow(count).partialValue
                    guard skipped >= 0 else { break }
                    continue
                }
                if case .limit(let count) = step {
                    let (sum, overflow) = skipped.addingReportingOverflow(count)
                    if !overflow { steps[index] = .sort(keys, limit: sum) }
                }
                break
            }
        }
    }

    /// Every column that the query names or delivers.
    var columns: Set<BoundColumn> {
        var columns: Set<BoundColumn> = []
        QueryPlan.collect(scan, into: &columns)
        for step in steps {
            switch step {
            case .filter(let predicate): QueryPlan.collect(predicate, into: &columns)
            case .sort(let keys, _): columns.formUnion(keys.map(\.column))
            case .distinct(let distinct): columns.formUnion(distinct)
            case .limit, .skip, .last: break
            }
        }
        switch output {
        case .columns(let projections): columns.formUnion(projections.map(\.column))
        case .aggregates(let aggregates): columns.formUnion(aggregates.compactMap(\.column))
        case .count, .exists: break
        }
        return columns
    }

    private static func collect(_ predicate: BoundPredicate, into columns: inout Set<BoundColumn>) {
        switch predicate {
        case .always: break
        case .and(let operands), .or(let operands):
            for operand in operands { collect(operand, into: &columns) }
        case .not(let operand): collect(operand, into: &columns)
        case .test(let column, _): columns.insert(column)
        case .compareColumns(let left, _, let right):
            columns.insert(left)
            columns.insert(right)
        default: preconditionFailure("contract")
        }
    }
}
