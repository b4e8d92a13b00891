/// How a live query follows what commits change, as `explain` says it.
package indirect enum LiveMaintenance: Hashable, Sendable, CustomStringConvertible {
    /// Its members are known; only objects that a commit touched are looked at. O(k) for k of them.
    case byMembers
    /// Its members and their order are known. O(k log n).
    case byOrder
    /// A part by position of what is kept otherwise; it is compared as a whole.
    case window(String, of: LiveMaintenance)
    /// All of it, whenever something that it depends on was touched.
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
