/// The common properties of ``SectionedResults`` and ``ResultsSection``, for generic code.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined,
    ChangeObservable
where ObservedChange == SectionedResultsChange<Self> {}

extension SectionedResults: RealmSectionedResult {}
extension ResultsSection: RealmSectionedResult {}
