import FirnValues

/// A per-class dictionary with a one-entry cache for the class that was changed last.
struct ClassMap<Element> {
    private var recentID: ClassID?
    private var recent: Element?
    /// The elements of all other classes.
    private var others: [ClassID: Element] = [:]

    var isEmpty: Bool { recent == nil && others.isEmpty }

    /// The classes that have an element, ascending.
    var classes: [ClassID] {
        var ids = Array(others.keys)
        if let recentID, recent != nil { ids.append(recentID) }
        return ids.sorted()
    }

    subscript(id: ClassID) -> Element? {
        get { id == recentID ? recent : others[id] }
        set {
            if id != recentID {
                if let recentID, let recent { others[recentID] = recent }
                others[id] = nil
                recentID = id
            }
            recent = newValue
        }
    }
}
