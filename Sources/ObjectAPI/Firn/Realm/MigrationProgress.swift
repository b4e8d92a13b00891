import FirnValues

/// The progress of one step of a ``Migration``.
public struct MigrationProgress: Sendable, Hashable {
    /// The class whose objects are migrated.
    public let className: String
    /// The number of objects that are done.
    public let completedObjectCount: Int
    /// The number of all objects of the class.
    public let totalObjectCount: Int

    /// Creates a value, as for tests of a progress display.
    public init(className: String, completedObjectCount: Int, totalObjectCount: Int) {
        self.className = className
        self.completedObjectCount = completedObjectCount
        self.totalObjectCount = totalObjectCount
    }
}

extension MigrationProgress {
    /// Reports the progress to the closure of a configuration, if there is one.
    struct Reporter {
        let report: (@Sendable (MigrationProgress) -> Void)?

        /// The number of objects between two reports.
        static let objectsPerReport = 4_096

        func callAsFunction(_ className: String, _ completed: Int, of total: Int) {
            report?(
                MigrationProgress(
                    className: className, completedObjectCount: completed, totalObjectCount: total))
        }
    }
}
