import FirnEngine
import FirnSyntax
import FirnValues

/// Binds `hist(property, parts)`, `bar(property)` and `spark(property)`.
struct ChartBinder {
    let binder: Binder

    /// Binds a chart stage.
    ///
    /// - Returns: `nil` for other stages.
    func bind(_ stage: Stage) throws(QueryError) -> BoundChart? {
        switch stage.kind {
        case .histogram(let path, let buckets):
            return .histogram(
                try value(path, stage, takesDates: true), bucketCount: try count(buckets))
        case .bar(let path): return .bar(try value(path, stage, takesDates: false))
        case .spark(let path): return .spark(try value(path, stage, takesDates: false))
        default: return nil
        }
    }

    private func value(
        _ path: Path, _ stage: Stage, takesDates: Bool
    ) throws(QueryError) -> BoundProjection {
        let expression = Expression.path(path)
        let operand = try binder.operand(expression)
        guard case .single(let computed) = operand,
            computed.type.isNumeric || (takesDates && computed.type.base == .date)
        else {
            let kind = takesDates ? "a number or a date" : "a number"
            throw binder.typeError(
                "\(stage.word) needs \(kind) of each row, not \(binder.describe(operand))",
                path.range)
        }
        return BoundProjection(
            computed.expression, name: binder.name(of: expression, computed.expression),
            type: computed.type, display: computed.expression.display)
    }

    private func count(_ expression: Expression?) throws(QueryError) -> Int {
        guard let expression else { return BoundChart.bucketCountDefault }
        if case .constant(.int(let count)) = try binder.operand(expression),
            let count = Int(exactly: count), (1...BoundChart.bucketCountMaximum).contains(count)
        {
            return count
        }
        throw binder.typeError(
            "hist needs a whole number of parts from 1 to \(BoundChart.bucketCountMaximum)",
            expression.range)
    }
}
