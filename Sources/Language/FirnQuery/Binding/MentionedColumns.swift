import FirnValues

/// The columns of a stage that later stages mention.
final class MentionedColumns {
    private(set) var indices: Set<Int> = []

    func mention(_ expression: BoundExpression) {
        if case .column(.output(let index, _, _, _)) = expression { indices.insert(index) }
    }
}
