/// A contestant of the comparison.
protocol Committer: AnyObject {
    var name: String { get }

    /// Repeats some work.
    ///
    /// - Parameter count: the number of samples wanted; commits of each thread for `threads`, and
    ///   checkpoints for `checkpoint`, which gives a sample for each commit meanwhile.
    /// - Returns: nanoseconds of one commit, object or lookup each; empty if it does not support
    ///   the work.
    func samples(_ work: CommitWork, count: Int) throws -> [UInt64]
}
