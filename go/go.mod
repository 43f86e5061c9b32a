module seen

go 1.23
