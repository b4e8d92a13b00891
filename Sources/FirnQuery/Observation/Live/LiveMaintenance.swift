/// The method by which a live query is maintained, as `explain` displays it.
package indirect enum LiveMaintenance: Hashable, Sendable, CustomStringConvertible {
    /// By a set of members.
    ///
    /// Only objects that a commit touched are read: O(k) for k of them.
    case byMembers
    /// By the members and their order: O(k log n).
    case byOrder
    /// By a range of positions of another kind of result, which is compared as a whole.
    case window(String, of: LiveMaintenance)
    /// By running the query again whenever an object that it depends on was touched.
    case again(because: String)

    package var description: String {
        switch self {
        case .byMembers: "kept up to date by members"
        case .byOrder: "kept up to date by order"
        case .window(let rows, let base): "window of \(rows), \(base)"
        case .again(let reason): "run again because of \(reason)"
        }
    }
}
