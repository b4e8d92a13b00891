import FirnEngine
import FirnQuery
import FirnValues

/// Carries out a statement of `-x`.
struct StatementRun {
    struct Counts {
        var updated: UInt64 = 0
        var unchanged: UInt64 = 0
        var deleted: UInt64 = 0
    }

    let text: String
    let className: String?
    let arguments: [String: Value]
    let file: String

    func run(
        _ session: WriteSession, _ surroundings: Surroundings
    ) throws(CommandFailure) -> Counts {
        preconditionFailure("contract")
    }
}
