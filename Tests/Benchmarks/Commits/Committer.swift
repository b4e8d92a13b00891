/// Somebody who is compared.
protocol Committer: AnyObject {
    var name: String { get }

    /// Does some work again and again.
    ///
    /// - Parameter count: how many samples are wanted; commits of each thread for `threads`, and
    ///   checkpoints for `checkpoint`, which gives a sample for each commit meanwhile.
    /// - Returns: nanoseconds of one commit, object or lookup each; nothing if it cannot do that.
    func samples(_ work: CommitWork, count: Int) throws -> [UInt64]
}
